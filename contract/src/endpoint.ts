import type * as z from 'zod/mini'
import type { Role } from './account.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/**
 * Who may call. `none`: anyone. `challenge`: holds the cookie of a sign-in or sign-up under way.
 * `required`: holds a live session; only these are refreshed and repeated after a 401 or 403.
 */
export type SessionNeed = 'none' | 'challenge' | 'required'

interface Definition {
  method: Method
  /** As the specification writes it, with `{name}` for a parameter. */
  path: `/${string}`
  session: SessionNeed
  /** Roles that may call; absent means every role with a session. */
  roles?: readonly Role[]
  /** Status of success; 200 with an answer and 204 without one unless said. */
  status?: 200 | 201 | 202 | 204
  body?: z.ZodMiniType
  query?: z.ZodMiniType
  answer?: z.ZodMiniType
  /** What the veteran reads when the server fails without a sentence of its own. */
  failure: string
}

export type Endpoint = Readonly<Definition>

/** An endpoint is a value: the client calls it, the server binds it, the OpenAPI page lists it. */
export function endpoint<const E extends Definition>(definition: E): E {
  return definition
}

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type Params<E extends Endpoint> = { [Name in ParamNames<E['path']>]: string }

type SchemaOf<E, Key extends string> = E extends { [K in Key]: infer S extends z.ZodMiniType }
  ? S
  : never

/** What a caller hands in. */
export type BodyIn<E extends Endpoint> = E extends { body: z.ZodMiniType }
  ? z.input<SchemaOf<E, 'body'>>
  : undefined
/** What the handler receives, parsed. */
export type BodyOut<E extends Endpoint> = E extends { body: z.ZodMiniType }
  ? z.output<SchemaOf<E, 'body'>>
  : undefined
export type QueryIn<E extends Endpoint> = E extends { query: z.ZodMiniType }
  ? z.input<SchemaOf<E, 'query'>>
  : undefined
export type QueryOut<E extends Endpoint> = E extends { query: z.ZodMiniType }
  ? z.output<SchemaOf<E, 'query'>>
  : undefined
/** What the handler must give back. */
export type AnswerIn<E extends Endpoint> = E extends { answer: z.ZodMiniType }
  ? z.input<SchemaOf<E, 'answer'>>
  : void
/** What the caller receives. */
export type AnswerOut<E extends Endpoint> = E extends { answer: z.ZodMiniType }
  ? z.output<SchemaOf<E, 'answer'>>
  : undefined

/** Puts the parameters into the path, encoded. */
export function pathOf<E extends Endpoint>(target: E, params: Params<E>): string {
  return target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )
}
