import { useEffect, useReducer } from 'react'
import { Typography } from '../../ui/Typography.tsx'
import { checkedText } from './todo-texts.ts'
import css from './CheckedText.module.css'

const TICK_MS = 15_000

/** When the records of the provider were last read. Renders again regularly, or it would keep saying "just now". */
export function CheckedText({ at }: { at: string }) {
  const [, tick] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <Typography variant="body2" color="textSecondary" className={css['text']}>
      {checkedText(at)}
    </Typography>
  )
}
