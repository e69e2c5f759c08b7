/** Something that the person at the keyboard can put right; its sentence is shown as it is. */
export class PlainProblem extends Error {}
