export interface Proof {
  /** `tests/proof/<group>/<name>.test.ts` */
  name: string
  /** Numbers of the properties that must be proven, 1 to 30; none for a proof of something else. */
  rows: readonly number[]
  shows: string
  /** A Git revision on which the proof also runs with `all`, for comparison. */
  control?: string
}

export const ROWS = 30

const proof = (
  name: string,
  rows: readonly number[],
  shows: string,
  more: Pick<Proof, 'control'> = {},
): Proof => ({ name, rows, shows, ...more })

const VERSION_0_1 = 'eb13131c'

/** In the order in which they run: quick ones first, then long ones, last those that need root or take hours. */
export const proofs: readonly Proof[] = [
  proof('matrix', [1], 'Each kind of caller gets the expected response from every endpoint.'),
  proof('staff-writes', [2], 'Staff can change only the accounts that their role allows.'),
  proof('objects-by-id', [2], 'Whatever belongs to another looks like a missing object.'),
  proof('origin', [9], 'An unsafe request from a wrong origin has no effect.'),
  proof('refresh', [5], 'Lost and concurrent refreshes sign nobody out; a replayed token does.'),
  proof('reset', [6], 'A reset link works once, and not after a deactivation.'),
  proof('revocation', [7], 'The next request after a session was ended is refused.'),
  proof('codes', [3, 4], 'Guessed codes open no session, and the right code opens exactly one.'),
  proof('lockout', [30], 'Attackers get few tries, and never lock out the owner of an account.'),
  proof('planted-data', [12], 'Personal data is found only in encrypted or named columns.'),
  proof('viewing', [27], 'Only the owner and staff see a document, and nothing caches or runs it.'),
  proof('hostile-files', [10], 'No hostile file is accepted, and a name is stored once.'),
  proof('photo-data', [], 'Photos are stored without camera data.'),
  proof('request-bounds', [], 'Stalled and invalid requests get a response in bounded time.'),
  proof('receive-uploads', [], 'Uploads are bounded in number, time and disk space.'),
  proof(
    'hash-queue',
    [],
    'A full queue of password hashes refuses sign-ins without counting tries.',
  ),
  proof('visits', [], 'Visits and sign-ins cause no CRM call while the mirror is fresh.'),
  proof('keys', [], 'All keys can be changed while sessions, codes, links and files exist.'),
  proof(
    'intake',
    [],
    'The last entered answers are stored after any sequence of edits and failures.',
  ),
  proof('twice', [17], 'Jobs that are delivered twice and out of order take effect once.'),
  proof('doctor', [], '`admin doctor` finds each broken part, and none in a healthy system.'),
  proof('freshness', [], 'A change in the CRM is on the dashboard within seconds.'),
  proof('enumeration', [8, 22], 'No response or its time reveals whether an email has an account.'),
  proof('schemas', [11, 21], 'No generated input causes a 5xx response or takes long to check.'),
  proof(
    'crm-faults',
    [14],
    'Faults of Salesforce sign nobody out, and afterwards all is sent once.',
  ),
  proof(
    'box-faults',
    [14],
    'Faults of Box lose no file, and afterwards all files are stored once.',
  ),
  proof(
    'mail-faults',
    [14],
    'Faults of the mail relay delay no response, and afterwards every email arrives.',
  ),
  proof(
    'mail-outage',
    [14, 23],
    'Every email requested while the relay is down arrives or is refused.',
  ),
  proof(
    'starvation',
    [24],
    'While the CRM and the file store hang, codes arrive and screens open.',
  ),
  proof('resume', [], 'Files arrive whole and once over connections that are cut.'),
  proof('killed-uploads', [13], 'No acknowledged upload is lost while processes are killed.'),
  proof(
    'clock',
    [16],
    'A wrong clock of an API or worker extends nothing, one of PostgreSQL its shift at most.',
  ),
  proof('notices', [26], 'Each change leads to its notice once, never at night.'),
  proof(
    'hostile',
    [20],
    'While one client attacks, others are served as usual. The control is version 0.1.',
    { control: VERSION_0_1 },
  ),
  proof('rolling-restart', [], 'Migrations and restarts under load fail no request.'),
  proof('alerts', [], 'Each fault fires its alert on time, and the alert clears.'),
  proof('docs-commands', [29], 'The commands of the pages for operators work as written.'),
  proof('restore', [19], 'A restored backup has the same rows, and its audit chain verifies.'),
  proof(
    'disk-full',
    [15],
    'A full disk refuses uploads with a message and leaves no partial file.',
  ),
  proof('crm-day', [25], 'A day of 18 million accounts stays within the calls of the CRM.'),
  proof(
    'failover',
    [28],
    'No acknowledged write is lost when the primary dies or is switched over.',
  ),
  proof(
    'soak',
    [18],
    'Under load for half an hour and a flood of sign-ins, nothing fails or grows.',
  ),
  proof('kills', [13], 'No acknowledged write is lost or doubled when processes are killed.'),
  proof(
    'sign-in-model',
    [11],
    'No sequence of sign-ins, codes, resets and time breaks an invariant.',
  ),
]
