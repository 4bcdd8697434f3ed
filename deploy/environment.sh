# For `demo` and `check`, which read it in the root of the checkout: fills .venv with queuecast.

fail() {
    echo "$0: $*" >&2
    exit 1
}

# have PROGRAM...: are all of them installed?
have() {
    for program; do
        command -v "$program" >/dev/null || return 1
    done
}

as_root() {
    [ "$(id -u)" -eq 0 ] && have apt-get
}

# install_packages NAME...: with apt, but without starting the services that come along.
install_packages() (
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod +x "$policy"
    fi
    echo "Installing with apt: $*"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq </dev/null
    apt-get install -qq -y --no-install-recommends "$@" </dev/null >/dev/null
)

# Prints the Python to use: the first that is new enough and can make environments.
find_python() {
    needs='import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))'
    for candidate in python3 /usr/bin/python3; do
        if "$candidate" -c "$needs" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# can_compile PYTHON: is there what it takes to compile modules for this Python?
can_compile() {
    have gcc && "$1" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))'
}

# is_locked: is there a lock for this Python?
is_locked() {
    series=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')
    head -n 1 deploy/requirements.lock | grep -qF "for Python $series."
}

# Prints what an environment is made from: all sources of the packages that have compiled modules, too.
made_from() {
    cat pyproject.toml deploy/requirements.lock deploy/*.py
    find predictor/engine verification/traces verification/measures verification/experiments \
        -name '*.py' -o -name '*.pyx' -o -name '*.pxd' | LC_ALL=C sort | xargs cat
}

# make_environment EXTRAS, "" or "[test]": quick if nothing has changed since the last time. For the
# checks nothing is installed but what the lock names, to the byte, where there is one for the Python.
make_environment() {
    stamp=.venv/made-with$1
    state=$(made_from | cksum)
    # Programs in an environment name their own place: one that was moved is made anew.
    if [ "$(cat .venv/made-in 2>/dev/null)" != "$PWD" ]; then
        if ! python=$(find_python); then
            as_root && install_packages python3-venv
            python=$(find_python) || fail "needs Python 3.11 or newer, with venv" \
                "(on Debian 12: apt-get install python3-venv)"
        fi
        "$python" -m venv --clear .venv
        echo "$PWD" >.venv/made-in
    fi
    if [ "$(cat "$stamp" 2>/dev/null)" != "$state" ]; then
        # Without a compiler queuecast is slower, not different: who is not root may go on.
        if ! can_compile .venv/bin/python && as_root; then
            install_packages gcc libc6-dev python3-dev
        fi
        patience=
        can_compile .venv/bin/python && patience=", which takes some minutes: its engine is compiled"
        echo "Installing queuecast$1 into $PWD/.venv$patience"
        if [ "$1" = "[test]" ] && is_locked; then
            .venv/bin/python -m pip install --quiet --require-hashes -r deploy/requirements.lock
            .venv/bin/python -m pip install --quiet --no-deps --no-build-isolation --editable .
        else
            .venv/bin/python -m pip install --quiet --editable ".$1"
        fi
        echo "$state" >"$stamp"
    fi
}
