import { useLocation, useNavigate } from 'react-router'
import { addressOfView, changeView, viewFrom, type View } from './view.ts'

/** The view in the address, and a function to change it. */
export function useView() {
  const { search } = useLocation()
  const navigate = useNavigate()
  const view = viewFrom(new URLSearchParams(search))
  return {
    view,
    change: (change: Partial<View>) => {
      const address = new URLSearchParams(addressOfView(changeView(view, change)))
      void navigate({ search: address.toString() }, { replace: true })
    },
  }
}
