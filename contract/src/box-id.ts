/**
 * The id of a file or a folder in Box. Ids come from text fields of Salesforce, too, where anything can be written. Zeros
 * in front would be a second spelling of an id, and 0 is the folder that contains everything.
 */
export const BOX_ID = /^[1-9][0-9]{0,19}$/
