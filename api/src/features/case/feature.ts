import { feature } from '../feature.ts'
import { caseProgressRoutes } from './routes.ts'

export const caseProgress = feature({
  name: 'case-progress',
  serve: (app, { db, stages }) => caseProgressRoutes(app, db, stages),
})
