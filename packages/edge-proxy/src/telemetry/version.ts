/** The version this bundle was built from; a test keeps it equal to package.json. */
export const VERSION = '0.0.0';
