import type { Telemetry } from './start-telemetry.ts'

export function countViews({ meter }: Pick<Telemetry, 'meter'>) {
  const views = meter.createCounter('guidon_document_views_total', {
    description: 'Files that were opened, by who opened them: `owner` or `staff`',
  })
  for (const by of ['owner', 'staff']) views.add(0, { by })
  return (by: 'owner' | 'staff'): void => views.add(1, { by })
}
