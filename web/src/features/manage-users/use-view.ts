import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { addressOfView, changeView, viewFrom, type View } from './view.ts'

/** The view in the address, and a function to change it. */
export function useView() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const view = viewFrom(new URLSearchParams(search))
  // A navigation is shown as a transition: a second change can come before the first one is rendered.
  const latest = useRef(view)
  useEffect(() => {
    latest.current = viewFrom(new URLSearchParams(search))
  }, [search])
  return {
    view,
    change: (change: Partial<View> | ((view: View) => Partial<View>)) => {
      const changes = typeof change === 'function' ? change(latest.current) : change
      latest.current = changeView(latest.current, changes)
      const address = new URLSearchParams(addressOfView(latest.current))
      void navigate({ search: address.toString() }, { replace: true })
    },
  }
}
