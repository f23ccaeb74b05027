// SPDX-License-Identifier: MIT
// Numbers to pixels, and the ticks between.
const line = (from, to, start, end) => (x) => start + ((x - from) / (to - from)) * (end - start);

function steps(low, high, most) {
  const raw = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high + 1e-9 * step; ++k) ticks.push(k * step);
  return ticks;
}
const short = (x) => minus(String(+x.toPrecision(6)));

// 1, 10, 100 … up to the first that holds `most`.
function decades(most) {
  const ticks = [1];
  while (ticks[ticks.length - 1] < most) ticks.push(ticks[ticks.length - 1] * 10);
  return ticks;
}
