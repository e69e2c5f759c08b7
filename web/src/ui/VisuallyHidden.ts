import { withClass } from './with-class.ts'
import css from './VisuallyHidden.module.css'

/** For screen readers only. */
export const VisuallyHidden = withClass('span', css['visuallyHidden'])
