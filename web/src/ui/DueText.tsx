import { styled } from '@mui/material/styles'
import { dueWords } from './due-words.ts'

const Words = styled('strong')<{ tone: 'error' | 'warning' }>(({ tone, theme: { vars } }) => ({
  color: vars.palette[tone].main,
}))

/** `By December 3.`, or in the colour of an error `Overdue: it was due November 12.` */
export function DueText({ due }: { due: string }) {
  const { words, overdue } = dueWords(due)
  return <Words tone={overdue ? 'error' : 'warning'}>{words}.</Words>
}
