import Typography from '@mui/material/Typography'
import { useEffect, useReducer } from 'react'
import { checkedText } from './todo-texts.ts'

const TICK_MS = 15_000

/** When the records of the provider were last read, as long as that is true. */
export function CheckedText({ at }: { at: string }) {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
      {checkedText(at)}
    </Typography>
  )
}
