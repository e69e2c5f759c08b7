import { withClass } from './with-class.ts'
import css from './Divider.module.css'

/** A line between a form and the links below it. */
export const Divider = withClass('hr', css['divider'])
