/** The one function that both suites run. */
const { onCall } = require('firebase-functions/v2/https');

exports.echo = onCall(({ data }) => data);
