/** For proofs in which one account uploads more in a minute than a veteran in a day. */
export const NO_UPLOAD_QUOTA = { UPLOADS_A_DAY: '1000000', UPLOAD_GIGABYTES_A_DAY: '10000' }
