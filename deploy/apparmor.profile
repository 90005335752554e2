# AppArmor profile of the container, for hosts whose default profile forbids mounts (Debian, Ubuntu) or whose unprivileged
# programs cannot create user namespaces (Ubuntu 23.10 and later). Load it with: apparmor_parser --replace apparmor.profile
abi <abi/4.0>,
include <tunables/global>

profile toolhost flags=(attach_disconnected,mediate_deleted) {
  capability,
  file,
  network,
  unix,

  # What bubblewrap needs to start a sandbox process. It has privileges inside of its own namespace only.
  userns,
  mount,
  umount,
  pivot_root,

  signal (send, receive) peer=toolhost,
  # From the host, to stop the container.
  signal (receive) peer=unconfined,
  signal (receive) peer=runc,
  signal (receive) peer=crun,
  signal (receive) peer=dockerd,
  ptrace (read, readby) peer=toolhost,

  deny network alg,
  deny @{PROC}/sys/** wklx,
  deny @{PROC}/{kcore,kmem,mem,sysrq-trigger} rwklx,
  deny /sys/** wklx,
  deny /sys/firmware/** r,
  deny /sys/kernel/security/** r,
}
