// Plants cookies wherever a browser lets a page of this host, and tells what can be read afterwards.
for (const domain of ["", "; domain=localhost", "; domain=.localhost", "; domain=replay.localhost"]) {
  for (const name of ["sessionid", "csrftoken", "opilio_replay", "__Host-opilio_replay", "opilio_replay_entry"]) {
    document.cookie = `${name}=planted; path=/${domain}`;
  }
}
document.cookie;
