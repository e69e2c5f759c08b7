import * as z from 'zod/mini'
import type { Role } from './account.ts'
import { ID_MAX } from './limits.ts'
import { identifier } from './text.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE'

/**
 * `none`: anyone may call. `challenge`: needs the cookie of a sign-in or sign-up in progress. `phone`: needs the cookie
 * of a phone that a hand-off connected (`hand-off.ts`). `required`: needs a live session; only for these calls, the
 * client refreshes the session after a 401 or 403 and repeats the call.
 */
type SessionRequirement = 'none' | 'challenge' | 'phone' | 'required'

interface Definition {
  method: Method
  /** As the specification writes it, with `{name}` for a parameter. */
  path: `/${string}`
  session: SessionRequirement
  /** Roles that may call; absent means every role with a session. */
  roles?: readonly Role[]
  /**
   * Sent by a timer and not by the user: it does not count as use of the session, and the client does not refresh the
   * session for it.
   */
  inBackground?: true
  /**
   * Called by programs that send no Origin, such as mail providers. A token in the request authorizes them, and cookies
   * are ignored.
   */
  withoutOrigin?: true
  /** Status of success; defaults to 200 with a response body and 204 without one. */
  status?: 200 | 201 | 202 | 204
  /** Path parameters. A request with invalid ones gets a 404. */
  params?: z.ZodMiniType
  body?: z.ZodMiniType
  /** The body is a multipart form with these fields beside one file called `file`. */
  form?: z.ZodMiniType
  query?: z.ZodMiniType
  /** The body of a successful response. */
  response?: z.ZodMiniType
  /** Shown to the veteran when the server's failure has no message. */
  failure: string
}

export type Endpoint = Readonly<Definition>

/** Declares an endpoint once: the client calls it, the server binds it, and the OpenAPI page lists it. */
export function endpoint<const E extends Definition>(definition: E): E {
  return definition
}

export const byId = z.object({ id: identifier(ID_MAX) })

type ParamNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamNames<Rest>
  : never

export type Params<E extends Endpoint> = { [Name in ParamNames<E['path']>]: string }

/** Before parsing, as the sender writes it; `Absent` where the endpoint has no such part. */
type Before<E, Part extends string, Absent> =
  E extends Record<Part, infer S extends z.ZodMiniType> ? z.input<S> : Absent
/** After parsing, as the receiver reads it. */
type After<E, Part extends string> =
  E extends Record<Part, infer S extends z.ZodMiniType> ? z.output<S> : undefined

/** `In`: what the caller sends. `Out`: what the handler receives. */
export type BodyIn<E extends Endpoint> = Before<E, 'body', undefined>
export type BodyOut<E extends Endpoint> = After<E, 'body'>
export type FormIn<E extends Endpoint> = Before<E, 'form', undefined>
export type QueryIn<E extends Endpoint> = Before<E, 'query', undefined>
export type QueryOut<E extends Endpoint> = After<E, 'query'>
/** `In`: what the handler returns. `Out`: what the caller receives. */
export type ResponseIn<E extends Endpoint> = Before<E, 'response', void>
export type ResponseOut<E extends Endpoint> = After<E, 'response'>

/** Replaces each `{name}` of the path with its encoded parameter. */
export function pathOf<E extends Endpoint>(target: E, params: Params<E>): string {
  return target.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name] ?? ''),
  )
}
