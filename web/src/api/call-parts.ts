import type { BodyIn, Endpoint, Params, QueryIn } from '@guidon/contract/endpoint'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: never }
  : { [N in Name]: Value }

type ParamsOrNone<E extends Endpoint> = keyof Params<E> extends never ? undefined : Params<E>

/** What this endpoint needs, no more and no less. */
export type Parts<E extends Endpoint> = Part<'body', BodyIn<E>> &
  Part<'params', ParamsOrNone<E>> &
  Part<'query', QueryIn<E>> & { signal?: AbortSignal }

/** Lets an endpoint that needs nothing be called with nothing. */
export type PartsArgument<E extends Endpoint> =
  Partial<Parts<E>> extends Parts<E> ? [parts?: Parts<E>] : [parts: Parts<E>]

/** The same, once the types have done their work. */
export interface LooseParts {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, unknown>
  signal?: AbortSignal
}
