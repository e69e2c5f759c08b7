import { withClass } from '../../../ui/with-class.ts'
import css from './ChoiceButton.module.css'

/** A large button for one way to add files. */
export const ChoiceButton = withClass('button', css['choiceButton'])
