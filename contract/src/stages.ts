import * as z from 'zod/mini'

/** Who has to act while a claim is in a stage. */
export const ACTORS = ['you', 'us', 'va'] as const
export const actor = z.enum(ACTORS)
export type Actor = z.infer<typeof actor>

const words = z.string().check(z.minLength(1), z.maxLength(300))

/** One stage of a claim, in the provider's own words. */
export const stage = z.strictObject({
  /** The value of the stage in the CRM. */
  key: words,
  label: words,
  /** What happens in this stage, such as `We are gathering your records`. */
  sentence: words,
  actor,
  /** Such as `3 to 6 weeks`. */
  usualTime: z.optional(words),
  /** A claim may return to this stage in the normal course of things: that is no step back. */
  mayRepeat: z.optional(z.boolean()),
})
export type Stage = z.infer<typeof stage>

/** The stages of a claim in their order: the content of `stages.json` in the brand folder. */
export const stages = z
  .array(stage)
  .check(
    z.refine(
      (all) => new Set(all.map(({ key }) => key)).size === all.length,
      'two stages have the same key',
    ),
  )
