import { createElement, lazy, useState, type ComponentType, type FunctionComponent } from 'react'
import { lazyCode } from './lazy-code.ts'

export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  /** Fetches the code ahead of time. */
  load: () => Promise<unknown>
}

/** Like React's `lazy`, but it can be loaded ahead, and tried again after a failure. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyComponent<Props> {
  const pending = (): ComponentType<Props> => lazy(async () => ({ default: await code() }))
  const code = lazyCode(
    async () => {
      const loaded = await load()
      current = loaded
      return loaded
    },
    () => (current = pending()),
  )
  let current = pending()

  function Lazy(props: Props) {
    // Keep the component while it is shown: replacing it would lose its state.
    const [shown] = useState(() => current)
    return createElement(shown, props)
  }
  return Object.assign(Lazy, { load: code })
}
