import { z } from 'zod'

/** Types that both `databaseVariables` and `variables` use. */

export const count = z.coerce.number().int().positive()

/** Empty counts as absent, because `deploy/example.env` has the variable without a value. */
export const orEmpty = <Type extends z.ZodType>(type: Type) =>
  z.preprocess((value) => (value === '' ? undefined : value), type.optional())
