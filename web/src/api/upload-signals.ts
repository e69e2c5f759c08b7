/** Name of the event that the window gets while an upload makes progress. */
export const UPLOAD_PROGRESS = 'guidon-upload-progress'

/** The reason of an abort after which the server should not keep what it has of the file. */
export const DISCARDED = 'discarded'
