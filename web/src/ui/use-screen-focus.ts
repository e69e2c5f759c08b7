import { useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation } from 'react-router'

let hadFocus = false
addEventListener('focusin', () => (hadFocus = true), { once: true })

/**
 * Moves the focus to this element when its screen replaces another one, because the element that had the
 * focus is gone. On the first screen of a visit, the focus is left to the browser until an element has had it.
 */
export function useScreenFocus(element: RefObject<HTMLElement | null>): void {
  const { key, search } = useLocation()
  const lastSearch = useRef(search)
  // A layout effect runs before the browser paints, so that no frame is without a focus.
  useLayoutEffect(() => {
    // A change of the query is not a new screen.
    const queryChanged = lastSearch.current !== search
    lastSearch.current = search
    if ((hadFocus || key !== 'default') && !queryChanged) element.current?.focus()
  }, [element, key, search])
}
