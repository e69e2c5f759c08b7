import { feature } from '../feature.ts'
import { profileRoutes } from './routes.ts'

export const profile = feature({
  name: 'profile',
  serve: (app, { db }) => profileRoutes(app, db),
})
