#include "sim/plugin/loader.hpp"

#include <dlfcn.h>

#include <string_view>
#include <utility>

#include "sim/plugin/plugin.hpp"

namespace berth {

Plugin::Plugin(const std::filesystem::path& path, const Location& where, Registries& registries) {
  const auto refuse = [&](const std::string& why) {
    if (handle_ != nullptr) ::dlclose(handle_);
    handle_ = nullptr;
    throw ConfigError(where, "policy.plugin: " + why);
  };
  // Local: two plugins may use the same names inside. Now: a missing symbol is found here.
  handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) refuse(std::string("cannot load the library: ") + ::dlerror());
  const auto* info = static_cast<const PluginInfo*>(::dlsym(handle_, "berth_plugin"));
  if (info == nullptr) {
    refuse(path.string() + " is no Berth plugin: it does not export berth_plugin (BERTH_PLUGIN)");
  }
  if (info->abi != kPluginAbi) {
    refuse(std::string(info->name) + " was built for plugin interface " +
           std::to_string(info->abi) + ", this Berth has " + std::to_string(kPluginAbi));
  }
  if (std::string_view(info->compiler) != kCompiler) {
    refuse(std::string(info->name) + " was built with compiler " + info->compiler +
           ", this Berth with " + kCompiler + "; build it with the same");
  }
  void* const symbol = ::dlsym(handle_, "berth_register");
  if (symbol == nullptr) refuse(std::string(info->name) + " does not export berth_register");
  try {
    reinterpret_cast<void (*)(Registries&)>(symbol)(registries);
  } catch (const Error& error) {
    throw ConfigError(where, std::string("policy.plugin: ") + error.what());
  }
}

Plugin::~Plugin() {
  if (handle_ != nullptr) ::dlclose(handle_);
}

Plugin::Plugin(Plugin&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}

}  // namespace berth
