export interface Proof {
  /** `tests/proof/<group>/<name>.test.ts` */
  name: string
  /** Numbers of the properties that must be proven; none for a proof of something else. */
  rows: readonly number[]
  shows: string
  /** Files and folders whose changes can break the property: `npm run prove -- touched` runs the proof after one. */
  touches: readonly string[]
  /** A Git revision on which the proof also runs at full size, for comparison. */
  control?: string
}

export const GROUPS = ['security', 'faults', 'load', 'operations'] as const

export const ROWS = 35

const VERSION_0_1 = 'eb13131c'

/** In the order in which they run: quick ones first, then long ones, last those that need root or take hours. */
export const proofs: readonly Proof[] = [
  {
    name: 'matrix',
    rows: [1],
    shows: 'Each kind of caller gets the expected response from every endpoint.',
    touches: ['api/src/features/', 'api/src/http/', 'contract/src/'],
  },
  {
    name: 'staff-writes',
    rows: [2],
    shows: 'Staff can change only the accounts that their role allows.',
    touches: ['api/src/features/manage-users/', 'api/src/http/require-manageable.ts'],
  },
  {
    name: 'objects-by-id',
    rows: [2],
    shows: 'Whatever belongs to another looks like a missing object.',
    touches: ['api/src/features/', 'api/src/http/bind.ts'],
  },
  {
    name: 'links',
    rows: [31],
    shows: 'An account sees a case only through a link that is proven or confirmed.',
    touches: [
      'api/src/crm/links/',
      'api/src/crm/mirror/',
      'api/src/features/linking/',
      'api/src/features/manage-users/external-ids.ts',
      'api/src/crm/links/links.sql.ts',
      'api/src/crm/links/shown-records.sql.ts',
    ],
  },
  {
    name: 'foreign-files',
    rows: [32],
    shows: 'No id in the CRM opens or changes a file outside of its veteran’s folder.',
    touches: [
      'api/src/files/',
      'api/src/features/folders/',
      'api/src/features/documents/viewing/',
      'api/src/features/documents/store/store-document.ts',
      'api/src/files/folders/folders.sql.ts',
    ],
  },
  {
    name: 'checker',
    rows: [34],
    shows: 'A file that takes over its inspection reaches nothing; without checkers, uploads wait.',
    touches: ['api/src/checker/', 'api/src/files/checks/', 'api/src/features/documents/'],
  },
  {
    name: 'origin',
    rows: [9],
    shows: 'An unsafe request from a wrong origin has no effect.',
    touches: ['api/src/http/', 'api/src/features/notices/'],
  },
  {
    name: 'refresh',
    rows: [5],
    shows: 'Lost and concurrent refreshes sign nobody out; a replayed token does.',
    touches: ['api/src/features/auth/', 'api/src/db/sessions.ts'],
  },
  {
    name: 'reset',
    rows: [6],
    shows: 'A reset link works once, and not after a deactivation.',
    touches: ['api/src/features/auth/'],
  },
  {
    name: 'revocation',
    rows: [7],
    shows: 'The next request after a session was ended is refused.',
    touches: ['api/src/features/auth/', 'api/src/features/manage-users/', 'api/src/db/sessions.ts'],
  },
  {
    name: 'codes',
    rows: [3, 4],
    shows: 'Guessed codes open no session, and the right code opens exactly one.',
    touches: ['api/src/features/auth/', 'api/src/db/limits.ts', 'api/src/db/blocked-tries.ts'],
  },
  {
    name: 'lockout',
    rows: [30],
    shows: 'Attackers get few tries, and never lock out the owner of an account.',
    touches: [
      'api/src/features/auth/',
      'api/src/db/limits.ts',
      'api/src/db/blocked-tries.ts',
      'api/src/passwords/',
    ],
  },
  {
    name: 'planted-data',
    rows: [12],
    shows: 'Personal data is found only in encrypted or named columns.',
    touches: [
      'api/src/features/',
      'api/src/mail/',
      'api/src/telemetry/',
      'api/src/platform/log.ts',
      'api/migrations/',
    ],
  },
  {
    name: 'viewing',
    rows: [27],
    shows: 'Only the owner and staff see a document, and nothing caches or runs it.',
    touches: [
      'api/src/features/documents/viewing/',
      'api/src/features/documents/',
      'api/src/files/',
    ],
  },
  {
    name: 'hostile-files',
    rows: [10],
    shows: 'No hostile file is accepted, and a name is stored once.',
    touches: ['api/src/checker/', 'api/src/files/checks/', 'api/src/features/documents/'],
  },
  {
    name: 'photo-data',
    rows: [],
    shows: 'Photos are stored without camera data.',
    touches: [
      'api/src/checker/',
      'api/src/files/checks/',
      'contract/src/clean-jpeg.ts',
      'web/src/features/documents/',
      'web/src/features/hand-off/',
    ],
  },
  {
    name: 'request-bounds',
    rows: [],
    shows: 'Stalled and invalid requests get a response in bounded time.',
    touches: ['api/src/http/'],
  },
  {
    name: 'receive-uploads',
    rows: [],
    shows: 'Uploads are bounded in number, time and disk space.',
    touches: [
      'api/src/features/documents/',
      'api/src/files/writable.ts',
      'api/src/platform/transfer-pace.ts',
    ],
  },
  {
    name: 'hash-queue',
    rows: [],
    shows: 'A full queue of password hashes refuses sign-ins without counting tries.',
    touches: ['api/src/passwords/', 'api/src/features/auth/'],
  },
  {
    name: 'visits',
    rows: [],
    shows: 'Visits and sign-ins cause no CRM call while the mirror is fresh.',
    touches: ['api/src/crm/', 'api/src/features/linking/', 'api/src/features/case/'],
  },
  {
    name: 'keys',
    rows: [],
    shows: 'All keys can be changed while sessions, codes, links and files exist.',
    touches: [
      'api/src/platform/crypto/',
      'api/src/platform/tokens.ts',
      'api/src/passwords/',
      'deploy/change-key',
    ],
  },
  {
    name: 'intake',
    rows: [],
    shows: 'The last entered answers are stored after any sequence of edits and failures.',
    touches: [
      'api/src/features/intake/',
      'web/src/features/intake/',
      'contract/src/intake.ts',
      'contract/src/intake-merge.ts',
    ],
  },
  {
    name: 'said',
    rows: [33],
    shows: 'The CRM has exactly what was said in an intake: a skipped question is empty.',
    touches: [
      'api/src/features/intake/',
      'api/src/features/case/',
      'api/src/features/linking/linking.ts',
      'api/src/crm/salesforce/',
      'contract/src/intake.ts',
      'contract/src/intake-questions.ts',
      'salesforce/force-app/main/default/objects/Intake__c/',
    ],
  },
  {
    name: 'twice',
    rows: [17],
    shows: 'Jobs that are delivered twice and out of order take effect once.',
    touches: [
      'api/src/jobs/',
      'api/src/crm/outbox/',
      'api/src/features/',
      'api/src/mail/send-once.ts',
    ],
  },
  {
    name: 'workflows',
    rows: [],
    shows: 'The workflows have no mistake that actionlint finds.',
    touches: ['.github/workflows/', '.github/actions/'],
  },
  {
    name: 'doctor',
    rows: [],
    shows: '`admin doctor` finds each broken part, and none in a healthy system.',
    touches: ['api/src/main/doctor/', 'api/src/main/config/config.ts', 'deploy/doctor.yaml'],
  },
  {
    name: 'freshness',
    rows: [],
    shows: 'A change in the CRM is on the dashboard within seconds.',
    touches: ['api/src/crm/', 'salesforce/'],
  },
  {
    name: 'enumeration',
    rows: [8, 22],
    shows: 'No response or its time reveals whether an email has an account.',
    touches: ['api/src/features/auth/', 'api/src/passwords/'],
  },
  {
    name: 'schemas',
    rows: [11, 21],
    shows: 'No generated input causes a 5xx response or takes long to check.',
    touches: ['contract/src/', 'api/src/http/bind.ts', 'package-lock.json'],
  },
  {
    name: 'crm-faults',
    rows: [14],
    shows: 'Faults of Salesforce sign nobody out, and afterwards all is sent once.',
    touches: ['api/src/crm/'],
  },
  {
    name: 'box-faults',
    rows: [14],
    shows: 'Faults of Box lose no file, and afterwards all files are stored once.',
    touches: ['api/src/files/box/', 'api/src/features/documents/'],
  },
  {
    name: 'mail-faults',
    rows: [14],
    shows: 'Faults of the mail relay delay no response, and afterwards every email arrives.',
    touches: ['api/src/mail/'],
  },
  {
    name: 'mail-outage',
    rows: [14, 23],
    shows: 'Every email requested while the relay is down arrives or is refused.',
    touches: ['api/src/mail/', 'api/src/features/auth/'],
  },
  {
    name: 'starvation',
    rows: [24],
    shows: 'While the CRM and the file store hang, codes arrive and screens open.',
    touches: ['api/src/crm/', 'api/src/files/box/', 'api/src/jobs/'],
  },
  {
    name: 'resume',
    rows: [],
    shows: 'Files arrive whole and once over connections that are cut.',
    touches: ['api/src/features/documents/', 'web/src/api/resumable/'],
  },
  {
    name: 'killed-uploads',
    rows: [13],
    shows: 'No acknowledged upload is lost while processes are killed.',
    touches: ['api/src/features/documents/', 'api/src/files/box/', 'api/src/jobs/'],
  },
  {
    name: 'killed-worker',
    rows: [13],
    shows: 'A worker that is killed loses no code, and none is sent twice.',
    touches: ['api/src/jobs/', 'api/src/mail/send-once.ts', 'api/src/features/auth/send-code.ts'],
  },
  {
    name: 'inspections',
    rows: [],
    shows: 'While hostile files are inspected, the process of the API stays responsive.',
    touches: ['api/src/checker/', 'api/src/files/checks/'],
  },
  {
    name: 'clock',
    rows: [16],
    shows:
      'A wrong clock of an API or worker extends nothing, one of PostgreSQL its shift at most.',
    touches: ['api/src/features/auth/', 'api/src/db/sessions.ts', 'api/src/db/days.ts'],
  },
  {
    name: 'notices',
    rows: [26],
    shows: 'Each change leads to its notice once, never at night.',
    touches: ['api/src/features/notices/', 'api/src/crm/mirror/'],
  },
  {
    name: 'hostile',
    rows: [20],
    shows: 'While one client attacks, others are served as usual. The control is version 0.1.',
    touches: [
      'api/src/http/',
      'api/src/checker/',
      'api/src/files/checks/',
      'api/src/features/documents/',
      'api/src/platform/fair-semaphore.ts',
      'package-lock.json',
    ],
    control: VERSION_0_1,
  },
  {
    name: 'budget',
    rows: [35],
    shows:
      'One account or address cannot use up the database or the balancer. The control is the revision before.',
    touches: [
      'api/src/features/documents/',
      'api/src/features/notices/',
      'api/src/db/limits.ts',
      'deploy/haproxy.cfg',
    ],
    control: '03db75a39d',
  },
  {
    name: 'rolling-restart',
    rows: [],
    shows: 'Migrations and restarts under load fail no request.',
    touches: ['api/migrations/', 'api/src/main/', 'api/src/http/', 'deploy/haproxy.cfg'],
  },
  {
    name: 'alerts',
    rows: [],
    shows: 'Each fault fires its alert on time, and the alert clears.',
    touches: ['deploy/monitoring/', 'api/src/telemetry/'],
  },
  {
    name: 'docs-commands',
    rows: [29],
    shows: 'The commands of the pages for operators work as written.',
    touches: ['docs/operate/', 'deploy/', 'api/src/main/'],
  },
  {
    name: 'restore',
    rows: [19],
    shows: 'A restored backup has the same rows, and its audit chain verifies.',
    touches: [
      'deploy/postgres/',
      'docs/operate/backup.md',
      'docs/operate/restore.md',
      'api/migrations/',
    ],
  },
  {
    name: 'disk-full',
    rows: [15],
    shows: 'A full disk refuses uploads with a message and leaves no partial file.',
    touches: [
      'api/src/files/writable.ts',
      'api/src/db/unavailable.ts',
      'api/src/platform/readiness.ts',
    ],
  },
  {
    name: 'crm-day',
    rows: [25],
    shows: 'A day of 18 million accounts stays within the calls of the CRM.',
    touches: ['api/src/crm/'],
  },
  {
    name: 'failover',
    rows: [28],
    shows: 'No acknowledged write is lost when the primary dies or is switched over.',
    touches: ['deploy/ha/', 'api/src/db/', 'api/src/main/wait-for-primary.ts'],
  },
  {
    name: 'soak',
    rows: [18],
    shows: 'Under load for half an hour and a flood of sign-ins, nothing fails or grows.',
    touches: ['api/src/http/', 'api/src/passwords/', 'api/src/telemetry/', 'package-lock.json'],
  },
  {
    name: 'kills',
    rows: [13],
    shows: 'No acknowledged write is lost or doubled when processes are killed.',
    touches: ['api/src/jobs/', 'api/src/db/', 'api/src/crm/outbox/', 'api/src/mail/send-once.ts'],
  },
  {
    name: 'sign-in-model',
    rows: [11],
    shows: 'No sequence of sign-ins, codes, resets and time breaks an invariant.',
    touches: ['api/src/features/auth/', 'contract/src/auth.ts'],
  },
]
