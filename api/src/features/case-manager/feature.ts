import { feature } from '../feature.ts'
import { caseManagerRoutes } from './routes.ts'

export const caseManager = feature({
  name: 'case-manager',
  serve: (app, { db }) => caseManagerRoutes(app, db),
})
