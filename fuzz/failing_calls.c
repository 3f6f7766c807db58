/* A preloaded library (LD_PRELOAD) that lets file system calls of the program fail, including those of code that does
 * not use `Storage`.
 *
 * FAULT_BELOW  only calls for paths with this prefix are counted
 * FAULT_AT     the number of the call that fails, from 0
 * FAULT_KIND   once, forever (this call and all later ones), full (all writes fail from this call on)
 * FAULT_LOG    a file: receives a line when a call fails for the first time, and the number of calls at the end
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_long calls, fired;
static _Atomic char ours[1 << 16];
static const char *below;
static long at = -1;
static int kind;

__attribute__((constructor)) static void begin(void) {
  below = getenv("FAULT_BELOW");
  const char *text = getenv("FAULT_AT"), *how = getenv("FAULT_KIND");
  if (text) at = atol(text);
  kind = !how || !strcmp(how, "once") ? 0 : !strcmp(how, "forever") ? 1 : 2;
}

static void say(const char *what, const char *path) {
  const char *log = getenv("FAULT_LOG");
  if (!log) return;
  int file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  char line[600];
  int length = snprintf(line, sizeof line, "%s %ld %s\n", what, atomic_load(&calls), path ? path : "");
  if (file >= 0 && length > 0) syscall(SYS_write, file, line, length < 600 ? length : 599);
  if (file >= 0) syscall(SYS_close, file);
}

__attribute__((destructor)) static void end(void) { say("calls", 0); }

static int concerns(const char *path) { return below && path && !strncmp(path, below, strlen(below)); }
static int is_ours(int file) { return file >= 0 && file < 1 << 16 && ours[file]; }

/* Counts a call. Returns whether it fails; if so, errno is set. */
static int fails(const char *what, const char *path, int writes) {
  long number = atomic_fetch_add(&calls, 1);
  int now = at >= 0 && (kind == 0 ? number == at : number >= at && (kind == 1 || writes));
  if (!now) return 0;
  if (!atomic_exchange(&fired, 1)) {
    char text[500];
    snprintf(text, sizeof text, "%s %s", what, path ? path : "an open file");
    say("fired", text);
  }
  errno = kind == 2 ? ENOSPC : EIO;
  return 1;
}

#define REAL(name) ((__typeof__(&name))real(#name))
static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static int opened(int file, int concerned) {
  if (file >= 0 && file < 1 << 16) ours[file] = concerned;
  return file;
}

#define OPEN(name)                                                                        \
  int name(const char *path, int flags, ...) {                                            \
    va_list rest;                                                                         \
    va_start(rest, flags);                                                                \
    mode_t mode = va_arg(rest, mode_t);                                                   \
    va_end(rest);                                                                         \
    int concerned = concerns(path);                                                       \
    if (concerned && fails("open", path, (flags & O_CREAT) != 0)) return -1;              \
    return opened(REAL(name)(path, flags, mode), concerned);                              \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                                      \
  int name(int folder, const char *path, int flags, ...) {                                \
    va_list rest;                                                                         \
    va_start(rest, flags);                                                                \
    mode_t mode = va_arg(rest, mode_t);                                                   \
    va_end(rest);                                                                         \
    int concerned = concerns(path) || is_ours(folder);                                    \
    if (concerned && fails("open", path, (flags & O_CREAT) != 0)) return -1;              \
    return opened(REAL(name)(folder, path, flags, mode), concerned);                      \
  }
OPENAT(openat)
OPENAT(openat64)

int close(int file) {
  if (file >= 0 && file < 1 << 16) ours[file] = 0;
  return REAL(close)(file);
}

ssize_t read(int file, void *to, size_t length) {
  if (is_ours(file) && fails("read", 0, 0)) return -1;
  return REAL(read)(file, to, length);
}
ssize_t pread64(int file, void *to, size_t length, off64_t offset) {
  if (is_ours(file) && fails("read", 0, 0)) return -1;
  return REAL(pread64)(file, to, length, offset);
}
ssize_t write(int file, const void *from, size_t length) {
  if (is_ours(file) && fails("write", 0, 1)) {
    int error = errno;
    if (length > 1) syscall(SYS_write, file, from, length / 2);
    errno = error;
    return -1;
  }
  return REAL(write)(file, from, length);
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  if (is_ours(file) && fails("write", 0, 1)) return -1;
  return REAL(writev)(file, parts, count);
}
int fsync(int file) { return is_ours(file) && fails("sync", 0, 0) ? -1 : REAL(fsync)(file); }
int fdatasync(int file) { return is_ours(file) && fails("sync", 0, 0) ? -1 : REAL(fdatasync)(file); }
int ftruncate64(int file, off64_t length) {
  return is_ours(file) && fails("truncate", 0, 0) ? -1 : REAL(ftruncate64)(file, length);
}
int rename(const char *from, const char *to) {
  return concerns(to) && fails("rename", to, 0) ? -1 : REAL(rename)(from, to);
}
int unlink(const char *path) { return concerns(path) && fails("remove", path, 0) ? -1 : REAL(unlink)(path); }
int unlinkat(int folder, const char *path, int flags) {
  return (concerns(path) || is_ours(folder)) && fails("remove", path, 0) ? -1 : REAL(unlinkat)(folder, path, flags);
}
int rmdir(const char *path) { return concerns(path) && fails("remove", path, 0) ? -1 : REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) {
  return concerns(path) && fails("make directory", path, 1) ? -1 : REAL(mkdir)(path, mode);
}
DIR *opendir(const char *path) {
  return concerns(path) && fails("names", path, 0) ? 0 : REAL(opendir)(path);
}
int flock(int file, int how) { return is_ours(file) && fails("lock", 0, 0) ? -1 : REAL(flock)(file, how); }
int statx(int folder, const char *path, int flags, unsigned mask, struct statx *out) {
  /* Rust once calls this without a path to test whether the call exists, but the compiler assumes that path is not null. */
  const char *volatile named = path;
  int concerned = concerns(named) || (named && !*named && is_ours(folder));
  if (concerned && fails("look at", named, 0)) return -1;
  return REAL(statx)(folder, path, flags, mask, out);
}
