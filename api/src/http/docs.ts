import type { FastifyInstance } from 'fastify'
import { version } from '../platform/version.ts'
import { openApi } from './openapi.ts'

/** Serves the API documentation page. Imported on demand, because these packages are development dependencies. */
export async function serveDocs(app: FastifyInstance, name: string): Promise<void> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const document = openApi(name, version) as never
  await app.register(swagger, { mode: 'static', specification: { document } })
  await app.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}
