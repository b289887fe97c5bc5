// Loads plugins and keeps them loaded.
#pragma once

#include <filesystem>

#include "sim/api/registries.hpp"

namespace berth {

// The handle of a loaded plugin. Everything made from it must be gone before it is.
class Plugin {
 public:
  // Throws ConfigError: not a shared library, no plugin, another compiler or version, or a name
  // that is taken. `where` is where the configuration names it.
  Plugin(const std::filesystem::path& path, const Location& where, Registries& registries);
  ~Plugin();
  Plugin(Plugin&& other) noexcept;
  Plugin& operator=(Plugin&&) = delete;
  Plugin(const Plugin&) = delete;

 private:
  void* handle_ = nullptr;
};

}  // namespace berth
