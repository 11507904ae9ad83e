# Shared by the scripts in this folder: the project's root, the machine's requirements, the packages of client and suites.
# Sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

die() {
  say "error: $*"
  exit 1
}

# Stops unless cargo, Node >= 20 and npm are on the PATH.
need_toolchain() {
  command -v cargo >/dev/null || die "cargo is missing: install Rust from https://rustup.rs"
  command -v node >/dev/null || die "node is missing: install Node.js 20 or newer"
  command -v npm >/dev/null || die "npm is missing: it comes with Node.js"
  local major
  major=$(node -p 'process.versions.node.split(".")[0]')
  [ "$major" -ge 20 ] || die "Node.js $(node --version) is too old: version 20 or newer is needed"
}

# install_packages FOLDER: installs its packages from the lockfile, once for each state of the lockfile.
install_packages() {
  local lock=$root/$1/package-lock.json stamp=$root/$1/node_modules/.installed-lock
  if ! cmp -s "$lock" "$stamp"; then
    say "Installing the packages of $1/ …"
    (cd "$root/$1" && npm ci --no-audit --no-fund --loglevel=error) >&2 && cp "$lock" "$stamp"
  fi
}

install_client() { install_packages client; }

install_suites() { install_packages suites; }

# Python with the packages of suites/python, in a folder of its own, once for each state of its requirements.
python_env=$root/target/python
install_python_suite() {
  local wanted=$root/suites/python/requirements.txt stamp=$python_env/.installed
  cmp -s "$wanted" "$stamp" && return 0
  python3 -c 'import ensurepip' 2>/dev/null || debian_install python3-venv || return 1
  say "Installing the packages of suites/python/ …"
  python3 -m venv --clear "$python_env" >&2 &&
    "$python_env/bin/pip" install --quiet --disable-pip-version-check -r "$wanted" >&2 && cp "$wanted" "$stamp"
}

build_client() {
  (cd "$root/client" && npm run --silent build -- "$@") >&2
}

# apt-get install, if possible: otherwise prints the reason and fails.
debian_install() {
  if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    say "Installing $* …"
    apt-get install -y --no-install-recommends "$@" >&2 ||
      { apt-get update >&2 && apt-get install -y --no-install-recommends "$@" >&2; }
  else
    say "error: $* missing: install it, for example with: sudo apt-get install $*"
    return 1
  fi
}
