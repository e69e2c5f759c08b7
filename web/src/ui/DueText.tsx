import { dueWords } from './due-words.ts'
import { withClass } from './with-class.ts'
import css from './DueText.module.css'

const Words = withClass('strong', css['words'])

/** `By December 3.`, or in the colour of an error `Overdue: it was due November 12.` */
export function DueText({ due }: { due: string }) {
  const { words, overdue } = dueWords(due)
  return <Words data-tone={overdue ? 'error' : 'warning'}>{words}.</Words>
}
