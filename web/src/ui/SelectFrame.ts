import { withClass } from './with-class.ts'
import css from './SelectFrame.module.css'

/** The frame of a native select and its arrow. */
export const SelectFrame = withClass('div', css['selectFrame'])
