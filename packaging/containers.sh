# Functions for starting containers, sourced by packaging/check-image and packaging/check-cluster.
#
# Images, containers and networks are in a separate storage that is removed with the script. Sets `podman` (the command),
# `limits` (the options that `run` needs on this system) and `image`.

# shellcheck shell=bash
storage=$(mktemp -d)
podman=(podman --root "$storage/root" --runroot "$storage/run")
image=
limits=()

# Exits with status 3 if something is missing.
lacks() { echo "not tested: $*"; exit 3; }

tidy_up() {
  # Processes of a container may still use its files for a moment.
  "${podman[@]}" rm --all --force --time 2 > /dev/null 2>&1 || true
  "${podman[@]}" rmi --all --force > /dev/null 2>&1 || true
  rm -rf "$storage"
}
trap tidy_up EXIT

# load_image ARCHIVE: loads the image, and finds the options that containers need here.
load_image() {
  command -v podman > /dev/null || lacks "containers: podman is not here (Debian: apt-get install podman)"
  image=$("${podman[@]}" load --quiet --input "$1" | sed -n 's/^Loaded image[^:]*: *//p')
  # Keeps the current limits if podman may not raise them; uses runc if crun does not support the control groups.
  local files processes
  files=$(ulimit -Hn)
  # The number of available ids, since podman does not allow more.
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
