#include "frontend/program/impl.hpp"

namespace heddle {

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

const std::vector<External>& Program::externals() const { return impl_->externals; }
const SiteTable& Program::sites() const { return impl_->sites; }
const std::vector<LoopNote>& Program::loops() const { return impl_->loops; }
const std::string& Program::bitcode() const { return impl_->bitcode; }

}  // namespace heddle
