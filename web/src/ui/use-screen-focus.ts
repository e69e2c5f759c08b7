import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router'

let hadFocus = false
addEventListener('focusin', () => (hadFocus = true), { once: true })

/**
 * Moves the focus to this element when its screen replaces another one, on which the focused element
 * is gone. On the first screen of a visit, the focus is left to the browser until an element has had it.
 */
export function useScreenFocus(element: RefObject<HTMLElement | null>): void {
  const { key, search } = useLocation()
  const lastSearch = useRef(search)
  // Before the browser paints, so that the focus is never nowhere.
  useLayoutEffect(() => {
    // A change of the query is not a new screen.
    const sameScreen = lastSearch.current !== search
    lastSearch.current = search
    if ((hadFocus || key !== 'default') && !sameScreen) element.current?.focus()
  }, [element, key, search])
}
