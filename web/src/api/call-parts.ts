import type { BodyIn, Endpoint, Params, QueryIn } from '@guidon/contract/endpoint'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [N in Name]?: never }
  : { [N in Name]: Value }

type ParamsOrNone<E extends Endpoint> = keyof Params<E> extends never ? undefined : Params<E>

interface CommonParts {
  signal?: AbortSignal
  /** Sends the request even if the tab is closed meanwhile; for bodies below 64 kB. */
  keepalive?: boolean
}

/** Exactly the parts that this endpoint needs. */
type Parts<E extends Endpoint> = Part<'body', BodyIn<E>> &
  Part<'params', ParamsOrNone<E>> &
  Part<'query', QueryIn<E>> &
  CommonParts

/** Makes the argument optional for an endpoint that needs no parts. */
export type PartsArgument<E extends Endpoint> =
  Partial<Parts<E>> extends Parts<E> ? [parts?: Parts<E>] : [parts: Parts<E>]

/** `Parts` without the endpoint's types, for the implementation. */
export interface UntypedParts extends CommonParts {
  body?: unknown
  params?: Record<string, string>
  query?: Record<string, unknown>
}
