import { useState } from 'react'
import { Pager } from './Pager.tsx'
import type { UsersPage } from './use-users.ts'
import { rangeText } from './user-texts.ts'
import type { View } from './view.ts'

interface Props {
  shown: UsersPage
  view: View
  onChange: (change: Partial<View>) => void
}

/** Pages by number, or by the server's cursors. */
export function UsersPager({ shown, view, onChange }: Props) {
  // Cursors of the earlier pages. They are unknown if a page was opened by its address; Back then opens the first page.
  const [starts, setStarts] = useState<Readonly<Record<number, string | undefined>>>({})
  const { page, found, users, next, incomplete } = shown
  const hasMore = found !== undefined && (page + 1) * view.size < found
  const canGoForward = next !== undefined || (hasMore && !incomplete)

  function forward(): void {
    setStarts({ ...starts, [page]: view.after })
    onChange({ page: page + 1, after: next })
  }
  function back(): void {
    const after = starts[page - 1]
    const known = after !== undefined || shown.serverPaging === undefined
    onChange(known ? { page: page - 1, after } : { page: 0 })
  }
  return (
    <Pager
      size={view.size}
      onSize={(size) => onChange({ size })}
      range={rangeText(page, view.size, users.length, found)}
      onBack={page > 0 ? back : undefined}
      onForward={canGoForward ? forward : undefined}
    />
  )
}
