import { feature } from '../feature.ts'
import { caseRoutes } from './routes.ts'

/** What Home reads of a veteran's case. */
export const veteransCase = feature({
  name: 'case',
  serve: (app, { db, stages }) => caseRoutes(app, db, stages),
})
