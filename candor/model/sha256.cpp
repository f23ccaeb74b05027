// SPDX-License-Identifier: MIT
#include <candor/model/sha256.hpp>

#include <openssl/evp.h>

#include <array>
#include <memory>
#include <stdexcept>

namespace candor {

std::string sha256(const std::vector<std::string_view>& pieces) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        &EVP_MD_CTX_free);
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  bool done = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (const std::string_view piece : pieces) {
    done = done && EVP_DigestUpdate(context.get(), piece.data(), piece.size()) == 1;
  }
  done = done && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!done) throw std::runtime_error("libcrypto has no SHA-256 on this machine");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    text += digits[digest[i] / 16U];
    text += digits[digest[i] % 16U];
  }
  return text;
}

}  // namespace candor
