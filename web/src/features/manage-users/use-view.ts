import { useSearchParams } from 'react-router'
import { addressOfView, changed, viewIn, type View } from './view.ts'

/** The view of the address, and the way to change it. */
export function useView() {
  const [address, setAddress] = useSearchParams()
  const view = viewIn(address)
  return {
    view,
    change: (change: Partial<View>) =>
      setAddress(addressOfView(changed(view, change)), { replace: true, preventScrollReset: true }),
  }
}
