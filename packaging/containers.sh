# How the checks of the image start containers: read by packaging/check-image and packaging/check-cluster.
#
# Images, containers and networks are in a storage of their own, which goes with the script. Sets `podman`, the command,
# `limits`, the options that this system needs for `run`, and `image`.

# shellcheck shell=bash
storage=$(mktemp -d)
podman=(podman --root "$storage/root" --runroot "$storage/run")
image=
limits=()

# Whoever ends for want of something has the status 3.
lacks() { echo "not tried: $*"; exit 3; }

tidy_up() {
  # A container's processes may still hold its files for a moment.
  "${podman[@]}" rm --all --force --time 2 > /dev/null 2>&1 || true
  "${podman[@]}" rmi --all --force > /dev/null 2>&1 || true
  rm -rf "$storage"
}
trap tidy_up EXIT

# load_image ARCHIVE: brings the image in, and finds out which options containers need here.
load_image() {
  command -v podman > /dev/null || lacks "containers: podman is not here (Debian: apt-get install podman)"
  image=$("${podman[@]}" load --quiet --input "$1" | sed -n 's/^Loaded image[^:]*: *//p')
  # Where podman may not raise limits, those that there are; where crun knows not how groups of processes are kept, runc.
  local files processes
  files=$(ulimit -Hn)
  # As many as there are numbers for: podman itself allows no more.
  processes=$(cat /proc/sys/kernel/pid_max)
  [ "$(ulimit -Hu)" = unlimited ] || [ "$(ulimit -Hu)" -gt "$processes" ] || processes=$(ulimit -Hu)
  local most=(--ulimit "nofile=$files:$files" --ulimit "nproc=$processes:$processes")
  local said=
  for runtime in "" runc; do
    if [ -n "$runtime" ]; then
      command -v runc > /dev/null || continue
      podman+=(--runtime "$runtime")
    fi
    for limits in "" "${most[*]}"; do
      read -ra limits <<< "$limits"
      if said=$("${podman[@]}" run --rm --network none "${limits[@]}" "$image" --version 2>&1); then
        echo "image: $said"
        return
      fi
    done
  done
  lacks "containers: podman starts none here: $said"
}
