import { feature } from '../../feature.ts'
import { viewingRoutes } from './routes.ts'
import { viewing as viewingService } from './viewing.ts'

export const viewing = feature({
  name: 'viewing',
  serve: (app, { db, log, tokens, calls, viewing: viewingParts }) =>
    viewingRoutes(
      app,
      viewingParts &&
        viewingService({ ...viewingParts, db, log, tokens, readUpload: calls.readUpload }),
    ),
})
