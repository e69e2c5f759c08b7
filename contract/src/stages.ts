import * as z from 'zod/mini'

/** Who has to act while a claim is in a stage. */
export const ACTORS = ['you', 'us', 'va'] as const
export const actor = z.enum(ACTORS, `must be one of ${ACTORS.join(', ')}`)
export type Actor = z.infer<typeof actor>

const WORDS = 'must be a text of 1 to 300 characters'
const words = z.string(WORDS).check(z.minLength(1, WORDS), z.maxLength(300, WORDS))

/** One stage of a claim, in the provider's own words. */
const stage = z.strictObject(
  {
    /** The value of the stage in the CRM. */
    key: words,
    label: words,
    /** What happens in this stage, such as `We are gathering your records`. */
    sentence: words,
    actor,
    /** Such as `3 to 6 weeks`. */
    usualTime: z.optional(words),
    /** A claim may return to this stage in the normal course of things: that is no step back. */
    mayRepeat: z.optional(z.boolean('must be true or false')),
  },
  {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? `${String(keys)}: not known` : 'must be a stage',
  },
)
export type Stage = z.infer<typeof stage>

/** The stages of a claim in their order: the content of `stages.json` in the brand folder. */
export const stages = z
  .array(stage, 'must be a list')
  .check(
    z.refine(
      (all) => new Set(all.map(({ key }) => key)).size === all.length,
      'two stages have the same key',
    ),
  )
