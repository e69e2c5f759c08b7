import type { TodoItem } from '@guidon/contract/todo'
import {
  useDeferredValue,
  useEffect,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from 'react'
import { changedText } from './todo-texts.ts'

/** The latest value; while `held`, the value that was the latest when the hold began. */
export function useHeldValue<Value>(value: Value, held: boolean): Value {
  // One render later, so that a dialog that closes now has returned the focus before the value changes.
  const isHeld = useDeferredValue(held) || held
  const [shown, setShown] = useState(value)
  if (isHeld || shown === value) return shown
  setShown(value)
  return value
}

const idOf = ({ kind, id }: TodoItem): string => `${kind} ${id}`

/** Announces a changed list, and moves the focus to the heading if the focused item is gone. */
export function useListChanges(
  items: readonly TodoItem[] | undefined,
  heading: RefObject<HTMLElement | null>,
) {
  const ids = items?.map(idOf).join()
  const [seen, setSeen] = useState({ ids, items, announcement: '' })
  if (seen.ids !== ids) {
    const before = seen.items?.map(idOf)
    const changed = items?.find((item) => !before?.includes(idOf(item)))
    setSeen({ ids, items, announcement: before ? changedText(items?.length ?? 0, changed) : '' })
  }
  const lastFocused = useRef<Element>(null)
  useEffect(() => {
    if (ids === undefined || lastFocused.current?.isConnected !== false) return
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [ids, heading])
  return {
    announcement: seen.announcement,
    onFocus: ({ target }: FocusEvent) => {
      lastFocused.current = target
    },
  }
}
