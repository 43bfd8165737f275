"""From a recording to its four answers: turns, transcript, topics, summary; one backend a stage."""
