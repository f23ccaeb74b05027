# SPDX-License-Identifier: MIT
"""Covariance functions, under the names people know.

>>> from candor.kernels import RBF, Linear
>>> 2.0 * RBF(length_scale=[0.5, 3.0]) + 0.1 * Linear()
2 * squared_exponential(lengthscale=[0.5, 3]) + 0.1 * linear(lengthscale=1)

A kernel is a value: it never changes, and learning gives a new one.  Its text is that of the command
line's ``--covariance`` and of model files.
"""
from __future__ import annotations

import numbers
import warnings

import numpy as np

from candor import _core

__all__ = ["Kernel", "RBF", "Matern", "RationalQuadratic", "Linear", "Constant", "White", "Discrete", "from_sklearn"]


class Kernel:
    """Any covariance function; ``Kernel("2 * matern(smoothness=2.5) + linear")`` reads one from text.

    ``a + b`` and ``a * b`` combine two of them, ``2.0 * a`` scales, ``a ** 2`` multiplies a kernel by itself.
    """

    def __init__(self, text: str):
        self._text = _core.canonical(text)

    @property
    def text(self) -> str:
        """As ``candor audit --covariance`` takes it; reading it back gives the same numbers to the last bit."""
        return self._text

    @property
    def theta(self) -> np.ndarray:
        """Logarithms of the parameters that learning moves, in the order of ``names``."""
        return _core.log_parameters(self._text)

    @property
    def names(self) -> list[str]:
        return _core.parameter_names(self._text)

    def with_theta(self, theta) -> Kernel:
        return Kernel(_core.with_log_parameters(self._text, np.asarray(theta, dtype=float)))

    def __call__(self, X, Y=None) -> np.ndarray:
        """The matrix of covariances.  Noise (:class:`White`) belongs to rows: it counts where ``Y`` is left out."""
        return _core.gram(self._text, _rows(X)) if Y is None else _core.cross(self._text, _rows(X), _rows(Y))

    def diag(self, X) -> np.ndarray:
        """The prior variance of every row, noise included."""
        return _core.gram_diagonal(self._text, _rows(X))

    def sample(self, X, n_samples: int = 1, random_state: int = 0) -> np.ndarray:
        """Functions drawn from the prior, one per column."""
        draws, jitter = _core.prior_draws(self._text, _rows(X), n_samples, random_state)
        if jitter > 1e-10:  # what the rounding of a smooth kernel asks for is less, and cannot be seen
            warnings.warn(f"the covariance of these rows is singular: draws are noisy, by {jitter:.0e} of the variance",
                          RuntimeWarning, stacklevel=2)
        return draws

    def __add__(self, other) -> Kernel:
        return Kernel(f"{self._text} + {_operand(other)}") if _is_operand(other) else NotImplemented

    __radd__ = __add__

    def __mul__(self, other) -> Kernel:
        if isinstance(other, numbers.Real):
            return Kernel(f"{float(other)!r} * ({self._text})")
        return Kernel(f"({self._text}) * ({other.text})") if isinstance(other, Kernel) else NotImplemented

    __rmul__ = __mul__

    def __pow__(self, power: int) -> Kernel:
        if not isinstance(power, numbers.Integral) or power < 1:
            raise ValueError(f"the power is {power!r}: it must be a whole number, 1 or more")
        return Kernel(" * ".join([f"({self._text})"] * int(power)))

    def __eq__(self, other) -> bool:
        return isinstance(other, Kernel) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def __repr__(self) -> str:
        return self._text

    def __reduce__(self):
        return Kernel, (self._text,)


def _rows(X) -> np.ndarray:
    X = np.asarray(X, dtype=float)
    return X.reshape(-1, 1) if X.ndim == 1 else X


def _is_operand(value) -> bool:
    return isinstance(value, (Kernel, numbers.Real))


def _operand(value) -> str:
    return f"({value.text})" if isinstance(value, Kernel) else f"constant({float(value)!r})"


def _numbers(values) -> str:
    return "[" + ", ".join(repr(float(v)) for v in np.atleast_1d(np.asarray(values, dtype=float))) + "]"


def _stationary(name: str, length_scale, discrete, **more) -> str:
    arguments = [f"{key}={float(value)!r}" for key, value in more.items()]
    arguments.append(f"lengthscale={_numbers(length_scale)}")
    columns = "all" if isinstance(discrete, str) and discrete == "all" else [int(c) for c in discrete]
    if columns:
        arguments.append(f"discrete={columns}")
    return f"{name}({', '.join(arguments)})"


class RBF(Kernel):
    """exp(-½ R²), R² = Σ (x_d - x'_d)²/ℓ_d²: one length scale, or one per column.

    ``discrete`` lists columns compared for equality only, or is "all", here and in the kernels below.
    """

    def __init__(self, length_scale=1.0, *, discrete=()):
        super().__init__(_stationary("squared_exponential", length_scale, discrete))


class Matern(Kernel):
    """The Matérn family: ``nu`` of ½, 3/2 and 5/2 in closed form, any other by Bessel functions."""

    def __init__(self, length_scale=1.0, nu=2.5, *, discrete=()):
        super().__init__(_stationary("matern", length_scale, discrete, smoothness=nu))


class RationalQuadratic(Kernel):
    """(1 + R²/(2α))^(-α)."""

    def __init__(self, length_scale=1.0, alpha=1.0, *, discrete=()):
        super().__init__(_stationary("rational_quadratic", length_scale, discrete, shape=alpha))


class Linear(Kernel):
    """Σ x_d x'_d/ℓ_d²; a discrete column counts as its one-hot encoding."""

    def __init__(self, length_scale=1.0, *, discrete=()):
        super().__init__(_stationary("linear", length_scale, discrete))


class Constant(Kernel):
    """The covariance of an unknown bias."""

    def __init__(self, constant_value=1.0):
        super().__init__(f"constant({float(constant_value)!r})")


class White(Kernel):
    """Latent noise, independent for every training row."""

    def __init__(self, noise_level=1.0):
        super().__init__(f"noise({float(noise_level)!r})")


class Discrete(RBF):
    """Columns of codes: exp(-½ Σ [x_d ≠ x'_d]/ℓ_d²), all of them unless some are named."""

    def __init__(self, columns=None, length_scale=1.0):
        super().__init__(length_scale, discrete="all" if columns is None else columns)


def from_sklearn(kernel, *, learning: bool = False) -> Kernel:
    """The same function as a kernel of scikit-learn's; ValueError where there is none.

    With `learning` it also has the same parameters to learn: none that is fixed there, none that is shared.
    """
    from sklearn.gaussian_process import kernels as sk

    if isinstance(kernel, Kernel):
        return kernel
    if isinstance(kernel, str):
        return Kernel(kernel)
    if learning and isinstance(kernel, sk.Kernel):
        _check_learnable(kernel)
    if isinstance(kernel, sk.Sum):
        return from_sklearn(kernel.k1) + from_sklearn(kernel.k2)
    if isinstance(kernel, sk.Product):
        return _product(kernel.k1, kernel.k2)
    if isinstance(kernel, sk.Exponentiation) and float(kernel.exponent).is_integer() and kernel.exponent >= 1:
        return from_sklearn(kernel.kernel) ** int(kernel.exponent)
    if type(kernel) is sk.RBF:
        return RBF(kernel.length_scale)
    if type(kernel) is sk.Matern:
        return RBF(kernel.length_scale) if np.isinf(kernel.nu) else Matern(kernel.length_scale, kernel.nu)
    if type(kernel) is sk.RationalQuadratic:
        return RationalQuadratic(kernel.length_scale, kernel.alpha)
    if type(kernel) is sk.ConstantKernel:
        return Constant(kernel.constant_value)
    if type(kernel) is sk.DotProduct:
        linear = Linear()
        return linear if kernel.sigma_0 == 0 else linear + Constant(kernel.sigma_0**2)
    if type(kernel) is sk.WhiteKernel:
        raise ValueError("kernel has a WhiteKernel, whose noise is also that of new rows: candor.kernels.White is noise of "
                         "training rows alone, and may be what you want")
    raise ValueError(
        f"kernel is {type(kernel).__name__}({kernel!s}): candor has no such function; it has RBF, Matern, "
        "RationalQuadratic, DotProduct, ConstantKernel, their sums, products and whole powers"
    )


def _check_learnable(kernel) -> None:
    from sklearn.gaussian_process import kernels as sk

    hold = "learning=None holds the whole kernel"
    for name, part in {"": kernel, **kernel.get_params()}.items():
        if isinstance(part, sk.Exponentiation):
            raise ValueError(f"kernel has the Exponentiation {part!s}, whose factors share what they learn: here they would "
                             f"not; {hold}")
        if name.endswith("_bounds") and isinstance(part, str):  # "fixed"
            raise ValueError(f"kernel has {name.removesuffix('_bounds')} fixed, and candor learns all of a kernel or "
                             f"nothing: {hold}")


def _product(a, b) -> Kernel:
    from sklearn.gaussian_process import kernels as sk

    # A constant times a kernel is an amplitude, not a product of two covariances.
    for scale, other in ((a, b), (b, a)):
        if type(scale) is sk.ConstantKernel:
            return float(scale.constant_value) * from_sklearn(other)
    return from_sklearn(a) * from_sklearn(b)
