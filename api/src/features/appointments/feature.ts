import { feature } from '../feature.ts'
import { appointmentRoutes } from './routes.ts'

export const appointments = feature({
  name: 'appointments',
  serve: (app, { db }) => appointmentRoutes(app, db),
})
