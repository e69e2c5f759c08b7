# confine.pl x64|arm64 <file or folder that may be read> ... -- <program> <argument> ...
#
# Takes from this process, for good, what the inspection of a file never needs: sockets, other processes, and all files but
# those that are named and the one on standard input. Then it becomes the program. It needs no privileges, so it works in
# any container and on any developer's machine. What the kernel cannot take away stays; the checker finds out and reports it.
# Perl, because it can call the kernel, is part of every Debian, and starts within milliseconds.
use strict;
use warnings;

my $arch = shift @ARGV;
my @readable;
push @readable, shift @ARGV while $ARGV[0] ne '--';
shift @ARGV;

# System calls that end with EPERM, with their numbers on both architectures.
my %refused = (
  # Connections of every kind. Pairs of Unix sockets, which Node uses as pipes, stay allowed.
  socket => [41, 198], connect => [42, 203], bind => [49, 200], listen => [50, 201],
  accept => [43, 202], accept4 => [288, 242],
  # Calls that are queued past this filter.
  io_uring_setup => [425, 425], io_uring_enter => [426, 426], io_uring_register => [427, 427],
  # Memory, descriptors and signals of other processes.
  ptrace => [101, 117], process_vm_readv => [310, 270], process_vm_writev => [311, 271], kcmp => [312, 272],
  pidfd_send_signal => [424, 424], pidfd_open => [434, 434], pidfd_getfd => [438, 438],
  process_madvise => [440, 440], process_mrelease => [448, 448],
  # Leaving the process group, which is killed as a whole at the end of the inspection.
  setsid => [112, 157], setpgid => [109, 154],
  # Memory, queues and locks that would outlive the process.
  shmget => [29, 194], semget => [64, 190], msgget => [68, 186], mq_open => [240, 180],
  # Parts of the kernel that often had defects.
  unshare => [272, 97], setns => [308, 268], mount => [165, 40], umount2 => [166, 39],
  pivot_root => [155, 41], chroot => [161, 51], open_tree => [428, 428], move_mount => [429, 429],
  fsopen => [430, 430], fsconfig => [431, 431], fsmount => [432, 432], fspick => [433, 433],
  mount_setattr => [442, 442], open_by_handle_at => [304, 265], bpf => [321, 280],
  perf_event_open => [298, 241], userfaultfd => [323, 282],
  keyctl => [250, 219], add_key => [248, 217], request_key => [249, 218],
);
my ($column, $AUDIT_ARCH, $PRCTL, $CLONE, $PRLIMIT, $SOCKETPAIR) =
  $arch eq 'x64' ? (0, 0xC000003E, 157, 56, 302, 53) : (1, 0xC00000B7, 167, 220, 261, 199);
my $CLONE3 = 435;
my ($CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF) = (444, 445, 446);

sub prctl { return syscall($PRCTL, @_, (0) x (5 - @_)) == 0 }

# Landlock, `man 7 landlock`. The kernel's version of it says which rights it can take away.
sub deny_files {
  my $version = syscall($CREATE_RULESET, 0, 0, 1);
  return if $version < 1;
  my $rights = (1 << (13, 14, 15, 15, 16)[$version > 5 ? 4 : $version - 1]) - 1;
  # Also TCP, Unix sockets by an abstract name, and signals to processes outside.
  my $attributes = pack('Q*', $rights, ($version >= 4 ? 3 : ()), ($version >= 6 ? 3 : ()));
  my $ruleset = syscall($CREATE_RULESET, $attributes, length $attributes, 0);
  return if $ruleset < 0;
  my ($execute, $read_file, $read_folder) = (1, 4, 8);
  my $allow = sub {
    my ($descriptor, $allowed) = @_;
    my $rule = pack('Ql', $allowed, $descriptor);
    syscall($ADD_RULE, $ruleset, 1, $rule, 0);
  };
  for my $path (@readable) {
    my $O_PATH = 010000000;
    sysopen(my $opened, $path, $O_PATH) or next;
    $allow->(fileno $opened, $execute | $read_file | (-d $path ? $read_folder : 0));
  }
  # Programs open it again as /dev/stdin.
  $allow->(0, $read_file) if -f STDIN;
  syscall($RESTRICT_SELF, $ruleset, 0);
}

# A filter of system calls, `man 2 seccomp`. Its instructions are those of a BPF program.
sub deny_calls {
  my ($EPERM, $ENOSYS) = (1, 38);
  my $instruction = sub { return pack('SCCL', @_) };
  my $load = sub { return $instruction->(0x20, 0, 0, $_[0]) };
  my $end = sub { return $instruction->(0x06, 0, 0, $_[0]) };
  my $error = sub { return $end->(0x50000 | $_[0]) };
  # Runs the second argument, instructions of 8 bytes, only if the value is equal; or, with 0x45, has one of these bits.
  my $if = sub {
    my ($value, $then, $test) = @_;
    return $instruction->($test // 0x15, 0, length($then) / 8, $value) . $then;
  };
  my $unless = sub { return $instruction->(0x15, length($_[1]) / 8, 0, $_[0]) . $_[1] };
  my ($number, $architecture, $first_argument) = (0, 4, 16);
  my $ALLOW = $end->(0x7fff0000);
  my $NEW_NAMESPACES = 0x7E020080;
  my $filter = join '',
    # Numbers of another architecture would mean other calls.
    $load->($architecture), $unless->($AUDIT_ARCH, $end->(0x80000000)),
    $load->($number),
    ($arch eq 'x64' ? $instruction->(0x35, 0, 1, 0x40000000) . $error->($ENOSYS) : ()),
    (map { $if->($_->[$column], $error->($EPERM)) } values %refused),
    # Its flags are in memory, which a filter cannot read; callers then use clone.
    $if->($CLONE3, $error->($ENOSYS)),
    $if->($CLONE, $load->($first_argument) . $if->($NEW_NAMESPACES, $error->($EPERM), 0x45) . $ALLOW),
    # The limits of another process.
    $if->($PRLIMIT, $load->($first_argument) . $unless->(0, $error->($EPERM)) . $ALLOW),
    $if->($SOCKETPAIR, $load->($first_argument) . $unless->(1, $error->($EPERM)) . $ALLOW),
    $ALLOW;
  my $program = pack('Sx6P', length($filter) / 8, $filter);
  prctl(22, 2, $program);
}

# No program gets more privileges than this one, and all end with the checker.
prctl(38, 1);
prctl(1, 9);
deny_files();
deny_calls();
exec { $ARGV[0] } @ARGV or die "confine: cannot start $ARGV[0]\n";
