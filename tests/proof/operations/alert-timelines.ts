const STEP_SECONDS = 15
const [BEFORE_STEPS, FAULT_STEPS, AFTER_STEPS] = [40, 80, 120]
const REQUESTS = 'http_server_request_duration_seconds'
const DAY_SECONDS = 86_400

/** Normal until 10m, faulty from 10m15s until 30m15s, then normal again. */
const gauge = (normal: number, faulty: number) =>
  `${normal}+0x${BEFORE_STEPS} ${faulty}+0x${FAULT_STEPS} ${normal}+0x${AFTER_STEPS}`
/** Increases only during the fault. */
const INCREASES_IN_FAULT = `0+0x${BEFORE_STEPS} 1+1x${FAULT_STEPS} 81+0x${AFTER_STEPS}`
/** Increases only outside the fault. */
const PAUSES_IN_FAULT = `0+10x${BEFORE_STEPS} 400+0x${FAULT_STEPS} 400+10x${AFTER_STEPS}`
const INCREASES_ALWAYS = '0+10x240'

const count = (route: string, status: number) =>
  `${REQUESTS}_count{http_route="${route}", http_request_method="POST", http_response_status_code="${status}"}`

interface Timeline {
  series: Record<string, string>
  /** How long the fault must last before the alert fires; absent if that depends on the window. */
  forMinutes?: number
  /** How long the alert's window still includes the fault after its end. */
  windowMinutes?: number
}

const slowHistogram = (metric: string, bound: string, labels = '') => ({
  [`${metric}_bucket{${labels}le="${bound}"}`]: PAUSES_IN_FAULT,
  [`${metric}_bucket{${labels}le="60"}`]: INCREASES_ALWAYS,
  [`${metric}_bucket{${labels}le="+Inf"}`]: INCREASES_ALWAYS,
})

const timelines: Record<string, Timeline> = {
  GuidonApiDown: {
    series: {
      'up{job="guidon-api", instance="a"}': gauge(1, 0),
      'up{job="guidon-api", instance="b"}': gauge(1, 1),
    },
    forMinutes: 1,
  },
  GuidonWorkerDown: { series: { 'up{job="guidon-worker"}': gauge(1, 0) }, forMinutes: 2 },
  GuidonNotReady: { series: { guidon_ready: gauge(1, 0) }, forMinutes: 1 },
  GuidonPortalUnreachable: {
    series: { 'probe_success{job="guidon-portal"}': gauge(1, 0) },
    forMinutes: 2,
  },
  GuidonErrors: {
    series: {
      [count('/auth/login', 200)]: INCREASES_ALWAYS,
      [count('/auth/login', 500)]: INCREASES_IN_FAULT,
    },
    windowMinutes: 5,
  },
  GuidonUploadsFailing: {
    series: {
      [count('/uploads/me/:id/finish', 201)]: PAUSES_IN_FAULT,
      [count('/uploads/me/:id/finish', 503)]: INCREASES_IN_FAULT,
    },
    windowMinutes: 10,
  },
  GuidonSlow: {
    series: slowHistogram(REQUESTS, '1', 'http_route="/auth/login", '),
    windowMinutes: 5,
  },
  GuidonSignInsRefused: {
    series: { guidon_hash_refused_total: INCREASES_IN_FAULT },
    forMinutes: 1,
    windowMinutes: 5,
  },
  GuidonJobsGivenUp: {
    series: { 'guidon_queue_dead{queue="documents.store"}': gauge(0, 2) },
    forMinutes: 1,
  },
  GuidonJobsWaiting: {
    series: { 'guidon_queue_oldest_seconds{queue="documents.store"}': gauge(300, 301) },
    forMinutes: 2,
  },
  GuidonCrmStopped: { series: { guidon_crm_stopped: gauge(0, 1) }, forMinutes: 2 },
  GuidonMirrorLag: {
    series: { 'guidon_mirror_lag_seconds{kind="contact"}': gauge(900, 901) },
    forMinutes: 5,
  },
  GuidonOutboxStuck: {
    series: { guidon_outbox_oldest_seconds: gauge(1800, 1801) },
    forMinutes: 5,
  },
  GuidonOutboxRefused: { series: { guidon_outbox_refused: gauge(0, 1) }, forMinutes: 1 },
  GuidonLinkWaiting: {
    series: { guidon_links_oldest_seconds: gauge(86_400, 86_401) },
    forMinutes: 5,
  },
  GuidonUploadsStuck: {
    series: { guidon_uploads_oldest_seconds: gauge(1800, 1801) },
    forMinutes: 5,
  },
  GuidonUploadsRefused: { series: { guidon_uploads_refused: gauge(0, 1) }, forMinutes: 1 },
  GuidonFilesMisplaced: {
    series: {
      guidon_folders_unusable: gauge(0, 0),
      guidon_files_misplaced: gauge(0, 1),
      guidon_file_ids_unusable: gauge(0, 0),
    },
    forMinutes: 5,
  },
  GuidonMailNotSent: {
    series: {
      'guidon_mail_failures_total{cause="relay"}': INCREASES_IN_FAULT,
      // The last emails were sent so early that they have left the alert's window when the fault begins.
      guidon_mail_sent_total: '0+1x10 10+0x110 10+1x120',
    },
    forMinutes: 1,
    windowMinutes: 5,
  },
  GuidonMailExpired: {
    series: { 'guidon_mail_outcomes_total{outcome="expired"}': INCREASES_IN_FAULT },
    forMinutes: 1,
    windowMinutes: 15,
  },
  GuidonMailLate: { series: slowHistogram('guidon_mail_delay_seconds', '30'), windowMinutes: 10 },
  GuidonCrmQuota: {
    series: {
      guidon_crm_calls_used: gauge(80_000, 80_001),
      guidon_crm_calls_limit: gauge(100_000, 100_000),
    },
    forMinutes: 5,
  },
  GuidonFileStoreThrottled: {
    series: { 'guidon_file_store_calls_total{outcome="429"}': INCREASES_IN_FAULT },
    forMinutes: 2,
    windowMinutes: 10,
  },
  GuidonCheckersDown: { series: { guidon_checkers_up: gauge(2, 0) }, forMinutes: 2 },
  GuidonScannerDown: { series: { guidon_scanner_up: gauge(1, 0) }, forMinutes: 2 },
  GuidonSignaturesOld: {
    series: { guidon_scanner_signatures_timestamp_seconds: gauge(0, -8 * DAY_SECONDS) },
    forMinutes: 10,
  },
  GuidonDiskNearlyFull: {
    series: {
      'node_filesystem_avail_bytes{job="guidon-host", mountpoint="/"}': gauge(10, 9.9),
      'node_filesystem_size_bytes{job="guidon-host", mountpoint="/"}': gauge(100, 100),
    },
    forMinutes: 5,
  },
  GuidonBackupOld: {
    series: { guidon_backup_last_success_timestamp_seconds: gauge(0, -31 * 3600) },
    forMinutes: 10,
  },
  GuidonWalArchiveFailing: {
    series: {
      guidon_wal_archive_failed_total: INCREASES_IN_FAULT,
      guidon_wal_archive_last_success_timestamp_seconds: gauge(10_000, -1_000),
    },
    forMinutes: 1,
  },
  GuidonStandbyMissing: {
    series: {
      'patroni_sync_standby{scope="guidon", name="db-1"}': gauge(0, 0),
      'patroni_quorum_standby{scope="guidon", name="db-1"}': gauge(0, 0),
      'patroni_quorum_standby{scope="guidon", name="db-2"}': gauge(1, 0),
    },
    forMinutes: 2,
  },
  GuidonQuorumLost: { series: { etcd_server_has_leader: gauge(1, 0) }, forMinutes: 1 },
  GuidonCertificateExpires: {
    series: {
      'probe_ssl_earliest_cert_expiry{job="guidon-portal"}': gauge(
        15 * DAY_SECONDS,
        13 * DAY_SECONDS,
      ),
    },
    forMinutes: 10,
  },
  GuidonAuditUnsealed: {
    series: { guidon_audit_unsealed_seconds: gauge(600, 601) },
    forMinutes: 5,
  },
  GuidonStaffVolume: {
    series: {
      'guidon_staff_actions{action="views"}': gauge(300, 301),
      'guidon_staff_actions{action="listings"}': gauge(200, 201),
      'guidon_staff_actions{action="links"}': gauge(60, 61),
      'guidon_staff_actions{action="resets"}': gauge(20, 21),
    },
    forMinutes: 1,
  },
  GuidonStaffUnusual: {
    series: { 'guidon_staff_actions{action="resets"}': gauge(20, 21) },
    forMinutes: 5,
  },
  GuidonNotMeasured: {
    series: { 'guidon_watch_failures_total{reading="outbox"}': INCREASES_IN_FAULT },
    forMinutes: 5,
    windowMinutes: 5,
  },
}

const seriesOf = (series: Record<string, string>) =>
  Object.entries(series).map(([name, values]) => ({ series: name, values }))
const isFiring = (name: string, minutes: number, expected: boolean) => ({
  eval_time: `${minutes * 60}s`,
  expr: `count(ALERTS{alertname="${name}", alertstate="firing"})`,
  exp_samples: expected ? [{ labels: '{}', value: 1 }] : [],
})

/** With one request a second, of which 1 % are uploads. A fault begins after 60 minutes. */
const quietNight = [
  {
    interval: `${STEP_SECONDS}s`,
    input_series: seriesOf({
      [count('/dashboard', 200)]: '0+14.85x480',
      [count('/box/uploadfile/me', 201)]: '0+0.15x239 35.85+0x240',
      // The first error creates the series.
      [count('/box/uploadfile/me', 500)]: '_x240 1+0.15x240',
    }),
    promql_expr_test: [
      isFiring('GuidonUploadsFailing', 60, false),
      isFiring('GuidonUploadsFailing', 70, true),
    ],
  },
  {
    // The same request and the same email recipient fail again and again, but too rarely for an alert.
    interval: `${STEP_SECONDS}s`,
    input_series: seriesOf({
      [count('/dashboard', 200)]: '0+14.85x480',
      [count('/auth/login', 500)]: '_x240 1+1x8 9+0x232',
      'guidon_mail_failures_total{cause="recipient"}': '0+0x240 0+1x240',
      guidon_mail_sent_total: '0+0x480',
    }),
    promql_expr_test: [63, 65, 70, 90].flatMap((minutes) =>
      ['GuidonErrors', 'GuidonMailNotSent'].map((name) => isFiring(name, minutes, false)),
    ),
  },
]

/** Backups are taken and no attempt to archive fails, but the verification is 30 hours old and archiving hangs. */
const hiddenBackupFaults = {
  interval: '1m',
  input_series: seriesOf({
    guidon_backup_last_success_timestamp_seconds: '0+60x45',
    guidon_backup_verify_last_success_timestamp_seconds: `${1800 - 30 * 3600}+0x45`,
    guidon_wal_archive_failed_total: '0+0x45',
    guidon_wal_archive_last_success_timestamp_seconds: '0+0x45',
  }),
  promql_expr_test: [
    isFiring('GuidonWalArchiveFailing', 30, false),
    isFiring('GuidonWalArchiveFailing', 32, true),
    isFiring('GuidonBackupOld', 40, false),
    isFiring('GuidonBackupOld', 41, true),
  ],
}

/** After 10 minutes, the standby and etcd lose their machines: both report nothing, and Patroni sees etcd no more. */
const lostMachines = {
  interval: '30s',
  input_series: seriesOf({
    'patroni_sync_standby{scope="guidon", name="db-1"}': '0+0x60',
    'patroni_quorum_standby{scope="guidon", name="db-1"}': '0+0x60',
    'patroni_quorum_standby{scope="guidon", name="db-2"}': '1+0x20 _x40',
    'patroni_dcs_last_seen{scope="guidon", name="db-1"}': '0+30x20 600+0x40',
    etcd_server_has_leader: '1+0x20 _x40',
  }),
  promql_expr_test: [
    isFiring('GuidonQuorumLost', 10, false),
    isFiring('GuidonQuorumLost', 11, false),
    isFiring('GuidonQuorumLost', 12.5, true),
    isFiring('GuidonStandbyMissing', 10, false),
    isFiring('GuidonStandbyMissing', 20, true),
  ],
}

export const alertsWithTimeline = Object.keys(timelines)

/** Input of `promtool test rules`: each alert just before it fires, when it fires and when it clears. */
export function ruleTests(rulesFile: string): object {
  const series = Object.values(timelines).flatMap((timeline) => Object.entries(timeline.series))
  const moments = Object.entries(timelines).flatMap(([name, timeline]) =>
    momentsOf(timeline).map(([seconds, state]) => ({
      eval_time: `${seconds}s`,
      expr: `max by (alertstate) (ALERTS{alertname="${name}"})`,
      exp_samples: state ? [{ labels: `{alertstate="${state}"}`, value: 1 }] : [],
    })),
  )
  return {
    rule_files: [rulesFile],
    evaluation_interval: `${STEP_SECONDS}s`,
    tests: [
      {
        interval: `${STEP_SECONDS}s`,
        // No two alerts use the same series, so one test can hold all timelines.
        input_series: series.map(([name, values]) => ({ series: name, values })),
        promql_expr_test: moments,
      },
      ...quietNight,
      hiddenBackupFaults,
      lostMachines,
    ],
  }
}

function momentsOf({ forMinutes, windowMinutes = 0 }: Timeline): [number, string?][] {
  const began = (BEFORE_STEPS + 1) * STEP_SECONDS
  const ended = began + (FAULT_STEPS + 1) * STEP_SECONDS
  const fires = began + (forMinutes ?? 0) * 60
  return [
    [began - STEP_SECONDS],
    ...(forMinutes === undefined
      ? []
      : ([
          [fires - STEP_SECONDS, 'pending'],
          [fires, 'firing'],
        ] as [number, string][])),
    [ended - STEP_SECONDS, 'firing'],
    [ended + windowMinutes * 60],
  ]
}
