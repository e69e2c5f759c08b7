/** For proofs whose accounts upload more than the daily quota. */
export const NO_UPLOAD_QUOTA = { UPLOADS_A_DAY: '1000000', UPLOAD_GIGABYTES_A_DAY: '10000' }
