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

/** The latest value, or while `held` the one before. */
export function useHeldValue<Value>(value: Value, held: boolean): Value {
  // One render later, so that a dialog that closes now has returned the focus before the value changes.
  const isHeld = useDeferredValue(held) || held
  const [shown, setShown] = useState(value)
  if (isHeld || shown === value) return shown
  setShown(value)
  return value
}

/** Announces a changed list, and moves the focus to the heading if the focused item is gone. */
export function useListChanges(
  items: readonly TodoItem[] | undefined,
  heading: RefObject<HTMLElement | null>,
) {
  const ids = items?.map(({ kind, id }) => `${kind} ${id}`).join()
  const [seen, setSeen] = useState({ ids, announcement: '' })
  if (seen.ids !== ids) {
    const announcement = seen.ids === undefined ? '' : changedText(items?.length ?? 0)
    setSeen({ ids, announcement })
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
