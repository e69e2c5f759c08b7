import { useEffect, useState } from 'react'
import {
  NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
  type Location,
} from 'react-router'
import { askToLeave, isUploadUnderWay } from '../features/documents/leave-guard.ts'
import { features } from './features.ts'

const signedInPaths = new Set<string>(
  features.flatMap(({ routes }) => routes.filter(({ roles }) => roles).map(({ path }) => path)),
)

/**
 * The location to show. When Back would leave the screens of a signed-in user during an upload, it stays the
 * same until the user has answered.
 */
export function useHeldLocation(): Location {
  const location = useLocation()
  const isBack = useNavigationType() === NavigationType.Pop
  const navigate = useNavigate()
  const [shown, setShown] = useState(location)
  const leaves = signedInPaths.has(shown.pathname) && !signedInPaths.has(location.pathname)
  const held = location !== shown && leaves && isBack && isUploadUnderWay()
  if (location !== shown && !held) setShown(location)

  useEffect(() => {
    if (!held) return
    const go = () => setShown(location)
    askToLeave({ action: 'leave', go, stay: () => void navigate(shown) })
    return () => askToLeave(undefined)
  }, [held, location, navigate, shown])

  return held ? shown : location
}
